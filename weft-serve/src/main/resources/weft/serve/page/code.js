// Code blocks: a heading with the language, a button that copies, colours where the language is known.

import DOMPurify from './lib/dompurify/purify.es.mjs';
import { el } from './dom.js';
import { copyText } from './clipboard.js';

/** Longer code stays plain: colouring it at every frame of a stream would cost more than it shows. */
const LONGEST_COLOURED = 20_000;
const SPANS = { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'], ALLOW_DATA_ATTR: false, RETURN_DOM_FRAGMENT: true };

export function dressCode(fragment) {
  for (const code of fragment.querySelectorAll('pre > code')) {
    const language = /^language-(\S+)/.exec(code.className)?.[1] ?? '';
    const text = code.textContent;
    colour(code, text, language);
    const pre = code.parentElement;
    pre.tabIndex = 0;
    const copy = el('button', { type: 'button', class: 'quiet', onclick: () => copyText(text, copy) }, 'Copy');
    const figure = el('figure', { class: 'code', 'aria-label': language ? `Code, ${language}` : 'Code' },
        el('figcaption', {}, el('span', {}, language || 'text'), copy));
    pre.replaceWith(figure);
    figure.append(pre);
  }
}

function colour(code, text, language) {
  const library = globalThis.hljs;
  if (!language || text.length > LONGEST_COLOURED || !library?.getLanguage(language)) return;
  const { value } = library.highlight(text, { language, ignoreIllegals: true });
  code.replaceChildren(DOMPurify.sanitize(value, SPANS));
}
