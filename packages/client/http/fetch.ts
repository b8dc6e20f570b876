/** `onSent`: receives how many bytes of a form were sent; `fetch` itself does not know it. */
export type Fetch = (url: string, init: RequestInit & { onSent?: (sentBytes: number) => void }) => Promise<Response>;
