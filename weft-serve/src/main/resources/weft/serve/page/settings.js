// The sheet of settings: what this conversation asks of the model, and what this browser keeps.

import { byId, el } from './dom.js';
import { cleaned, NUMBERS, schemaProblem } from './options.js';

export class Settings {
  #sheet = byId('settings');
  #options = {};
  #onChange;

  /** actions: change(options), makeDefault(options), theme(name), key(text). */
  constructor(actions, { theme, key }) {
    this.#onChange = actions.change;
    byId('numbers').append(...NUMBERS.map(fieldOf));
    this.#sheet.querySelectorAll('[data-option]').forEach((field) => field.addEventListener('input', () => this.#read()));
    byId('make-default').addEventListener('click', () => actions.makeDefault(this.#options));
    byId('reset').addEventListener('click', () => {
      this.fill({});
      this.#onChange(this.#options);
    });
    byId('theme').value = theme;
    byId('theme').addEventListener('change', ({ target }) => actions.theme(target.value));
    byId('key').value = key;
    byId('key').addEventListener('change', ({ target }) => actions.key(target.value.trim()));
    this.#sheet.addEventListener('click', (event) => event.target === this.#sheet && this.#sheet.close());
  }

  open(focusOn) {
    this.#sheet.showModal();
    if (focusOn) byId(focusOn).focus();
  }

  /** Shows the options of a conversation. */
  fill(options) {
    this.#options = cleaned(options);
    for (const field of this.#sheet.querySelectorAll('[data-option]')) {
      field.value = this.#options[field.dataset.option] ?? (field.tagName === 'SELECT' ? 'default' : '');
    }
    this.#judge();
  }

  #read() {
    const given = {};
    for (const field of this.#sheet.querySelectorAll('[data-option]')) {
      if (field.value === '') continue;
      given[field.dataset.option] = field.type === 'number' ? field.valueAsNumber : field.value;
    }
    this.#options = cleaned(given);
    this.#judge();
    this.#onChange(this.#options);
  }

  #judge() {
    const problem = schemaProblem(byId('schema').value);
    byId('schema-problem').textContent = problem;
    byId('schema').setAttribute('aria-invalid', String(problem !== ''));
    byId('schema-on').hidden = !this.#options.schema || problem !== '';
    const set = Object.keys(this.#options).length;
    byId('open-settings').classList.toggle('set', set > 0);
  }
}

function fieldOf({ name, label, least, most, step, hint }) {
  return el('label', { class: 'field', title: hint }, el('span', {}, label),
      el('input', { type: 'number', inputMode: 'decimal', min: least, max: most, step, placeholder: 'default',
        'data-option': name, 'aria-description': hint }));
}
