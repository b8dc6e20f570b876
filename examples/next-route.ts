// A route of Next.js, app/api/transcribe/route.ts: a page posts a form with a recording as `file`.
// The key stays on the server, in JYUTSING_API_KEY.
import { Jyutsing, JyutsingError } from '@jyutsing/client';

export const runtime = 'nodejs';

const jyut = new Jyutsing();

export async function POST(request: Request): Promise<Response> {
  const file = (await request.formData()).get('file');
  if (!(file instanceof File)) {
    return Response.json({ message: 'Send a recording as the field "file".' }, { status: 400 });
  }
  const { signal } = request;
  try {
    const job = await jyut.transcribe(file, { language: 'auto', signal });
    const { text, segments } = await job.wait({ signal });
    return Response.json({ text, segments });
  } catch (failure) {
    if (!(failure instanceof JyutsingError)) throw failure;
    const { message, code, status } = failure;
    return Response.json({ message, code }, { status: status !== null && status >= 400 ? status : 502 });
  }
}
