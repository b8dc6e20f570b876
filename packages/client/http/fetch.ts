/**
 * `onSent` receives the number of bytes of a form that were sent, which `fetch` itself does not
 * report.
 */
export type Fetch = (url: string, init: RequestInit & { onSent?: (sentBytes: number) => void }) => Promise<Response>;
