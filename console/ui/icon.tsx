/** Line drawings on a grid of 24, made for the console. */
const PATHS = {
  home: 'M4 11.5 12 4l8 7.5M6.5 9.5V20h11V9.5M10 20v-5.5h4V20',
  transcribe: 'M4 10v4M8 6v12M12 9v6M16 4v16M20 10v4',
  transcripts: 'M6 3.5h9l4 4V20.5H6zM14.5 3.5V8H19M9 12.5h7M9 16h7',
  live: 'M4 6h16v11H4zM7.5 13.5h4M14 13.5h2.5M7.5 10h2M12 10h4.5M9 20.5h6',
  speak: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  pronunciation: 'M3.5 17c3-9 5-9 7 0s4-1 5-6 3-5 5 0M4 21h16',
  voices:
    'M12 3.5a3.2 3.2 0 0 1 3.2 3.2v4.6a3.2 3.2 0 0 1-6.4 0V6.7A3.2 3.2 0 0 1 12 3.5zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5v3.5M8.5 21h7',
  video: 'M3.5 6h12v12h-12zM15.5 10.5l5-3v9l-5-3z',
  corpora: 'M5 4.5h6.5v15H5zM11.5 4.5h3.2l4.6 14.3-3.4 1.1L11.5 7M7.5 8h1.5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.8h4v4.4h-4zM7 14.8h4v4.4H7z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  upload: 'M12 15.5V4.5M7.5 9 12 4.5 16.5 9M4.5 15v4.5h15V15',
  download: 'M12 4.5v11M7.5 11l4.5 4.5 4.5-4.5M4.5 17v2.5h15V17',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  play: 'M8 5.200v13.600L19 12z',
  pause: 'M8 5.500v13M16 5.500v13',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v5.500M13.500 10.500v5.500',
  check: 'M5 12.500 10 17.500 19.500 7',
  warn: 'M12 4 21 19.500H3zM12 10v4.500M12 16.800v.2',
  undo: 'M8.500 6 4.500 10l4 4M4.500 10H14a5 5 0 0 1 0 10h-3',
  redo: 'M15.500 6l4 4-4 4M19.500 10H10a5 5 0 0 0 0 10h3',
  search: 'M10.500 4.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  more: 'M5.500 12h.010M12 12h.010M18.500 12h.010',
  keyboard: 'M3 6.500h18v11H3zM6.500 10h.010M10 10h.010M13.500 10h.010M17 10h.010M7.500 14h9',
  history: 'M4 12a8 8 0 1 0 2.600-5.900M4 4.500v4h4M12 7.500v5l3.500 2',
  previous: 'M14.500 6l-6 6 6 6',
  chevron: 'M9.500 6l6 6-6 6',
  copy: 'M8.500 8.500h11v11h-11zM15.500 8.500v-4h-11v11h4',
  key: 'M8 10a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 11.500 19.500 4M16 7l2.500 2.500',
  wave: 'M4 12h2l2-6 3 13 3-11 2 6 1.500-2H20',
  people:
    'M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3.500 19.500c0-3.500 2.500-5.500 5.500-5.500s5.500 2 5.500 5.500M16 5.500a2.800 2.800 0 0 1 0 5.300M17 14.200c2.200.6 3.500 2.400 3.500 5.300',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
      <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** The logo shows a voice. */
export function Logo() {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" rx="17" fill="var(--accent)" />
      <path
        d="M14 27v10M23 19v26M32 25v14M41 13v38M50 26v12"
        fill="none"
        stroke="var(--accent-ink)"
        stroke-width="5"
        stroke-linecap="round"
      />
    </svg>
  );
}
