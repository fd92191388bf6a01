// Formulas: found in Markdown between dollars or TeX's own brackets, drawn by KaTeX once the first is met.

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function rule(name, level, opening, patterns, block) {
  return {
    name,
    level,
    start: (text) => {
      const at = text.search(opening);
      return at < 0 ? undefined : at;
    },
    tokenizer(text) {
      for (const pattern of patterns) {
        const found = pattern.exec(text);
        if (found) return { type: name, raw: found[0], formula: found[1].trim() };
      }
      return undefined;
    },
    renderer: ({ formula }) => `<span class="${block ? 'formula block' : 'formula'}">${escape(formula)}</span>`,
  };
}

/** What Markdown's lexer learns. A dollar before a space or after one, or before a digit, is money. */
export const FORMULAS = [
  rule('formulaBlock', 'block', /\$\$|\\\[/, [/^ {0,3}\$\$([^$]+?)\$\$[ \t]*(?:\n|$)/, /^ {0,3}\\\[([\s\S]+?)\\\][ \t]*(?:\n|$)/], true),
  rule('formulaDisplay', 'inline', /\$\$|\\\[/, [/^\$\$([^$]+?)\$\$/, /^\\\[([\s\S]+?)\\\]/], true),
  rule('formula', 'inline', /\$|\\\(/, [/^\$(?![\s$])((?:\\.|[^$\\\n])*?(?:\\.|[^\s$\\]))\$(?!\d)/, /^\\\(([\s\S]+?)\\\)/], false),
];

let library;

/** Draws the formulas of a fragment: at once when the library is here, else when it has come. */
export function dressFormulas(fragment) {
  const found = [...fragment.querySelectorAll('span.formula')];
  if (!found.length) return;
  if (library) found.forEach(draw);
  else load().then(() => found.forEach(draw));
}

async function load() {
  library = (await import('./lib/katex/katex.mjs')).default;
}

// Untrusted TeX: bounded expansion and sizes, no links, no HTML.
const BOUNDS = { throwOnError: true, trust: false, strict: 'ignore', maxExpand: 500, maxSize: 20 };

function draw(node) {
  const formula = node.textContent;
  try {
    const tree = library.__renderToDomTree(formula, { ...BOUNDS, displayMode: node.classList.contains('block') });
    setAside(tree);
    const drawn = tree.toNode();
    for (const styled of drawn.querySelectorAll('[data-style]')) {
      styled.style.cssText = styled.dataset.style;
      styled.removeAttribute('data-style');
    }
    node.replaceChildren(drawn);
  } catch {
    // Not TeX, or not yet whole while it streams: the text itself says most.
    node.classList.add('plain');
  }
}

/** The policy forbids style attributes but not styles set by script: KaTeX's few attributes go the second way. */
function setAside(tree) {
  if (tree.attributes?.style) {
    tree.attributes['data-style'] = tree.attributes.style;
    delete tree.attributes.style;
  }
  tree.children?.forEach(setAside);
}
