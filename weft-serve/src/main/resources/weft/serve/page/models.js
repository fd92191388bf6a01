// The models that the server offers, and which one is asked.

import { byId, el } from './dom.js';

export class Models {
  #client;
  #preferences;
  #onChange;
  #all = [];
  #picker = byId('model');

  constructor(client, preferences, onChange) {
    this.#client = client;
    this.#preferences = preferences;
    this.#onChange = onChange;
    this.#picker.addEventListener('change', () => {
      preferences.set('model', this.#picker.value);
      onChange(this.chosen);
    });
  }

  get chosen() {
    return this.#all.find((model) => model.id === this.#picker.value);
  }

  /** Asks the server; the model that was chosen before stays chosen while it is served. */
  async load() {
    this.#all = await this.#client.models();
    this.#picker.replaceChildren(...this.#all.map(({ id }) => el('option', { value: id }, id)));
    const before = this.#preferences.get('model', '');
    if (this.#all.some((model) => model.id === before)) this.#picker.value = before;
    this.#picker.disabled = this.#all.length < 2;
    byId('welcome-model').textContent = this.chosen?.id ?? 'No model';
    this.#onChange(this.chosen);
  }
}
