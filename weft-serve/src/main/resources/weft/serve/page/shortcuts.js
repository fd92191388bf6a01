// Keys for the whole page. On a Mac, Command stands where others press Control.

import { byId } from './dom.js';

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** run: {search, fresh, sidebar, settings, stop}. */
export function listen(run) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const held = mac ? event.metaKey : event.ctrlKey;
    const key = event.key.toLowerCase();
    const action = held && !event.altKey
      ? { k: run.search, ',': run.settings, '/': () => byId('shortcuts').showModal() }[key]
          ?? (event.shiftKey ? { o: run.fresh, s: run.sidebar }[key] : undefined)
      : key === 'escape' && !document.querySelector('dialog[open]') ? run.stop : undefined;
    if (!action) return;
    if (held) event.preventDefault();
    action();
  });
  if (mac) document.querySelectorAll('kbd.held').forEach((node) => (node.textContent = '⌘'));
}
