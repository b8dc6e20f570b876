type Node = Record<string, unknown>;
type Operation = {
  operationId?: string;
  security?: unknown;
  parameters?: Node[];
  requestBody?: Node;
  responses: Record<string, Node & { headers?: Record<string, Node> }>;
};
type Kind = 'headers' | 'parameters' | 'requestBodies' | 'responses';
type Components = Partial<Record<Kind, Record<string, unknown>>>;

/**
 * Moves every header, parameter, request body and response that several operations have into
 * `components`. Written out, they are three quarters of the document, and generated clients would
 * have a type for each of them.
 */
export function shareComponents<Document extends object>(document: Document): Document {
  const components = ((document as { components?: Components }).components ??= {});
  const operations = operationsOf(document);
  const responses = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, value]) => ({ operationId, responses, status, value })),
  );
  share(
    components,
    'headers',
    responses.flatMap(({ value: { headers = {} } }) =>
      Object.entries(headers).map(([name, value]) => ({
        name: name.replace(/^X-(?:RateLimit-)?/, ''),
        value,
        replace: (by) => (headers[name] = by),
      })),
    ),
  );
  share(
    components,
    'responses',
    responses.map(({ operationId, responses, status, value }) => ({
      name: status < '400' ? `${capital(operationId ?? '')}Answer` : nameOfErrors(status, String(value['description'])),
      value,
      replace: (by) => (responses[status] = by),
    })),
  );
  share(
    components,
    'parameters',
    operations.flatMap(({ operationId = '', parameters = [] }) =>
      parameters.map((value, at) => ({
        name: nameOfParameter(operationId, String(value['name'])),
        value,
        replace: (by) => (parameters[at] = by),
      })),
    ),
  );
  share(
    components,
    'requestBodies',
    operations.flatMap((operation) => {
      const { operationId = '', requestBody } = operation;
      if (requestBody === undefined) return [];
      return { name: `${capital(operationId)}Body`, value: requestBody, replace: (by) => (operation.requestBody = by) };
    }),
  );
  return document;
}

/** `name`: of the component, if this use is the first of several. */
type Use = { name: string; value: Node; replace(by: Node): void };

/** Different values under one name stay where they are, all but the first. */
function share(components: Components, kind: Kind, uses: readonly Use[]): void {
  const byText = Map.groupBy(uses, ({ value }) => JSON.stringify(value));
  const shared = (components[kind] ??= {});
  for (const same of byText.values()) {
    const [first] = same;
    if (first === undefined || same.length < 2 || first.name in shared) continue;
    shared[first.name] = first.value;
    for (const { replace } of same) replace({ $ref: `#/components/${kind}/${first.name}` });
  }
}

/** The operations of all paths. */
export function operationsOf(document: object): Operation[] {
  const { paths = {} } = document as { paths?: Record<string, Record<string, unknown>> };
  return Object.values(paths).flatMap((path) => Object.values(path).filter(isOperation));
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'responses' in value;

/** The code that a status has in every operation; it is in a name only when it is alone. */
const COMMON_CODES = ['invalid_request', 'rate_limit_exceeded', 'internal_error', 'service_unavailable'];
const NAMES: Readonly<Record<string, string>> = { '401': 'Unauthorized', '403': 'Forbidden', default: 'Error' };

/** From the codes in the description of `errorResponses`: `QuotaExceededOrTimedOut`. */
function nameOfErrors(status: string, description: string): string {
  const codes = [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code);
  const special = codes.filter((code) => !COMMON_CODES.includes(code));
  return NAMES[status] ?? (special.length === 0 ? codes : special).map(pascalCase).join('Or');
}

/** A header means the same everywhere; an id or a limit does not. */
function nameOfParameter(operationId: string, name: string): string {
  return name.includes('-') ? pascalCase(name) : capital(operationId) + capital(name);
}

function pascalCase(code: string): string {
  return code.split(/[_-]/).map(capital).join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
