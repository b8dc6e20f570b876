type Node = Record<string, unknown>;
/** A schema, the object that it is in, and its key there; `name`: of the field that it is for. */
type Use = { name: string; holder: Node; key: string; text: string };

/** Shorter ones are more readable where they are than behind a reference. */
const MIN_CHARACTERS = 72;

/**
 * Moves every field or item that several schemas have alike into a schema of its own, named after
 * the first such field: `with_timestamp` becomes `WithTimestamp`.
 */
export function shareFields(document: object): void {
  const components = ((document as { components?: Node }).components ??= {});
  const schemas = (components['schemas'] ??= {}) as Node;
  for (;;) {
    const next = mostRepeated(document, schemas);
    if (next === undefined) return;
    const [first] = next.uses;
    schemas[next.component] = first?.holder[first.key];
    for (const { holder, key } of next.uses) holder[key] = { $ref: `#/components/schemas/${next.component}` };
  }
}

/** The field whose sharing saves most. A name is given once. */
function mostRepeated(document: object, schemas: Node): { component: string; uses: Use[] } | undefined {
  const uses: Use[] = [];
  collect(document, '', uses);
  const savingOf = (same: readonly Use[]) => (same.length - 1) * (same[0]?.text.length ?? 0);
  return [...Map.groupBy(uses, meaningOf).values()]
    .filter((same) => same.length > 1)
    .toSorted((a, b) => savingOf(b) - savingOf(a))
    .flatMap((same) => {
      const name = componentName(same[0]?.name ?? '');
      return [name, `${name}Field`].map((component) => ({ component, uses: same }));
    })
    .find(({ component }) => !(component in schemas));
}

/** A number of one field may look like that of another and mean something else. */
function meaningOf({ name, text }: Use): string {
  return /"(?:properties|anyOf|binary)"/.test(text) ? text : `${name} ${text}`;
}

/** `name`: of the nearest field around the node. */
function collect(node: unknown, name: string, uses: Use[]): void {
  if (typeof node !== 'object' || node === null) return;
  const add = (holder: Node, key: string, field: string) => {
    const text = JSON.stringify(holder[key]);
    if (text.length >= MIN_CHARACTERS) uses.push({ name: field, holder, key, text });
    collect(holder[key], field, uses);
  };
  for (const [key, child] of Object.entries(node)) {
    if (key === 'items' && name !== '') add(node as Node, key, `${name}Item`);
    else if (key === 'properties') for (const field of Object.keys(child as Node)) add(child as Node, field, field);
    else collect(child, name, uses);
  }
}

function componentName(field: string): string {
  return field.replaceAll(/(?:^|[^a-zA-Z]+)([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());
}
