// Markdown as safe elements. HTML that a model writes is shown as the text it is, save a few harmless tags; what is left goes
// through DOMPurify, so two walls stand before the page, and the content-security policy behind them.

import { Marked } from './lib/marked/marked.esm.js';
import DOMPurify from './lib/dompurify/purify.es.mjs';
import { dressCode } from './code.js';
import { dressFormulas, FORMULAS } from './formulas.js';
import { el } from './dom.js';

const escape = (text) => text
    .replace(/&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|[a-zA-Z]\w{1,30});)/g, '&amp;')
    .replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const HARMLESS = /^<\/?(br|sub|sup|kbd|mark|u|b|i|em|strong)\s*\/?>$/i;
const PICTURE = /^data:image\/(png|jpeg|webp|gif);base64,/;

const marked = new Marked({
  gfm: true,
  extensions: FORMULAS,
  renderer: {
    html: ({ text, block }) =>
        block ? `<p class="raw">${escape(text.trimEnd())}</p>` : HARMLESS.test(text) ? text : escape(text),
    text(token) {
      return token.tokens ? this.parser.parseInline(token.tokens) : escape(token.text);
    },
    listitem(item) {
      return `<li${item.task ? ' class="task"' : ''}>${this.parser.parse(item.tokens)}</li>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // A picture elsewhere would tell its host who reads this: it becomes a link.
    image: ({ href, text }) => (PICTURE.test(href)
      ? `<img src="${escape(href)}" alt="${escape(text)}">`
      : `<a href="${escape(href)}">${escape(text || href)}</a>`),
  },
});

const SAFE = {
  ALLOWED_TAGS: ['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'kbd',
    'li', 'mark', 'ol', 'p', 'pre', 'span', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'u', 'ul'],
  ALLOWED_ATTR: ['align', 'alt', 'class', 'href', 'src', 'start', 'title'],
  ADD_URI_SAFE_ATTR: ['align', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/)/i,
  RETURN_DOM_FRAGMENT: true,
};
const ELSEWHERE = /^(?:https?|mailto):/i;
const OUR_CLASS = /^(language-\S+|formula|formula block|raw|task|hljs-[\w -]+)$/;

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.hasAttribute?.('class') && !OUR_CLASS.test(node.className)) node.removeAttribute('class');
  if (node.nodeName === 'A') {
    if (!ELSEWHERE.test(node.getAttribute('href') ?? '')) node.removeAttribute('href');
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
});

function dressed(html) {
  const fragment = DOMPurify.sanitize(html, SAFE);
  dressCode(fragment);
  dressFormulas(fragment);
  for (const table of fragment.querySelectorAll('table')) {
    const frame = el('div', { class: 'table-frame', tabIndex: 0, role: 'group', 'aria-label': 'Table' });
    table.replaceWith(frame);
    frame.append(table);
  }
  return fragment;
}

/** A definition serves references anywhere in the text, so that nothing of it is settled. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;
const UNSETTLED = 2;

/** Shows a growing Markdown text: blocks that stay as they were keep their elements, so a long reply costs what is new. */
export class Prose {
  /** Each {raw, nodes}; their raw texts, one after the other, are the text that is shown. */
  #blocks = [];
  #text = '';

  constructor() {
    this.node = el('div', { class: 'prose' });
  }

  show(given) {
    const text = given.replace(/\r\n?/g, '\n');
    if (text === this.#text) return;
    // More text can change the last block, and make it one with the one before; those above it are done.
    const grows = text.startsWith(this.#text) && !DEFINITION.test(text);
    let kept = grows ? Math.max(0, this.#blocks.length - UNSETTLED) : 0;
    const done = this.#blocks.slice(0, kept).reduce((length, { raw }) => length + raw.length, 0);
    const tokens = marked.lexer(text.slice(done));
    while (tokens.length && this.#blocks[kept]?.raw === tokens[0].raw) {
      tokens.shift();
      kept++;
    }
    for (const { nodes } of this.#blocks.splice(kept)) nodes.forEach((node) => node.remove());
    for (const token of tokens) this.#add(token);
    this.#text = text;
  }

  #add(token) {
    const fragment = token.type === 'space' ? new DocumentFragment() : dressed(marked.parser([token]));
    // Each block is read in the direction of its own script.
    for (const block of fragment.children) block.dir = block.matches('.code') ? 'ltr' : 'auto';
    this.#blocks.push({ raw: token.raw, nodes: [...fragment.childNodes] });
    this.node.append(fragment);
  }
}
