// Ends with status 0 when the service takes requests. Plain JavaScript, for a quick start.
const secure = process.env.TLS_CERT_FILE || process.env.TLS === 'self-signed';
// The certificate names the public host, and this request stays on the machine.
if (secure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const url = `${secure ? 'https' : 'http'}://127.0.0.1:${process.env.PORT || 8080}/health`;
fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
