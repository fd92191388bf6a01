// Small choices that outlive the page: theme, model, key, sampling for new chats. They live in localStorage, or only in
// memory where the browser refuses it.

const NAME = 'weft.preferences';

export class Preferences {
  #values = read();

  get(name, otherwise) {
    return this.#values[name] ?? otherwise;
  }

  set(name, value) {
    // Another tab may have chosen something else meanwhile: only this one value is ours.
    this.#values = { ...this.#values, ...read(), [name]: value };
    try {
      localStorage.setItem(NAME, JSON.stringify(this.#values));
    } catch {
      // Kept in memory until the page goes.
    }
  }
}

function read() {
  try {
    const values = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    return typeof values === 'object' && values !== null ? values : {};
  } catch {
    return {};
  }
}
