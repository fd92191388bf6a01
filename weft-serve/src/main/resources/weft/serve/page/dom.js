// Elements made in one expression. Text is always text here: nothing in the page writes HTML but prose.js, which sanitises.

/** An element with properties (on* are listeners, aria-* and data-* attributes) and children (nodes, texts, nothing). */
export function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.className = value;
    else if (key in node && !key.includes('-')) node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

/** Paths on a 24 x 24 grid, drawn with a stroke. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  branchLeft: 'M14 6l-6 6 6 6',
  branchRight: 'M10 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  down: 'M12 5v14M6 13l6 6 6-6',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM13.5 7.5l3 3',
  export: 'M12 15V4M8 8l4-4 4 4M5 14v6h14v-6',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  import: 'M12 4v11M8 11l4 4 4-4M5 14v6h14v-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  retry: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  send: 'M12 19V5M6 11l6-6 6 6',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  stop: 'M8 8h8v8H8z',
};

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button that shows an icon alone and says its label to who hovers or listens. */
export function iconButton(name, label, onclick, properties = {}) {
  return el('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...properties },
      icon(name));
}

/** Puts icons into the buttons of index.html that name one. */
export function drawIcons(root) {
  for (const node of root.querySelectorAll('[data-icon]')) node.prepend(icon(node.dataset.icon));
}
