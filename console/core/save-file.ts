/** Hands a text or sound to the browser as a file. */
export function saveFile(content: string | Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content);
  link.download = fileNameOf(name);
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Leaves out the characters that file systems refuse. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ').trim();
}
