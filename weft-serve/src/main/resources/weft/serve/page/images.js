// Pictures on their way into a message: chosen, pasted or dropped, made small enough to send, shown until they go.

import { byId, el, icon } from './dom.js';
import { announce, toast } from './notices.js';

/** No model looks closer, and the conversation has to fit into the browser's storage. */
const LONGEST_SIDE = 1536;
const MOST_PICTURES = 8;

export class Pictures {
  #urls = [];
  #wanted = false;
  #onChange;

  /** onChange is called when pictures come or go. */
  constructor(onChange) {
    this.#onChange = onChange;
    byId('attach').addEventListener('click', () => byId('picture-file').click());
    byId('picture-file').addEventListener('change', ({ target }) => {
      this.#take([...target.files]);
      target.value = '';
    });
    byId('message').addEventListener('paste', (event) => this.#from(event, event.clipboardData));
    document.addEventListener('dragover', (event) => this.#wanted && event.preventDefault());
    document.addEventListener('drop', (event) => this.#from(event, event.dataTransfer));
  }

  /** Whether the model takes pictures; where it does not, nothing of them is seen. */
  allow(wanted) {
    this.#wanted = wanted;
    byId('attach').hidden = !wanted;
    if (!wanted) this.takeAll();
  }

  /** The pictures as data URLs; they are gone from here afterwards. */
  takeAll() {
    const urls = this.#urls;
    this.#urls = [];
    this.#show();
    return urls;
  }

  #from(event, transfer) {
    const files = [...(transfer?.files ?? [])].filter((file) => file.type.startsWith('image/'));
    if (!this.#wanted || !files.length) return;
    event.preventDefault();
    this.#take(files);
  }

  async #take(files) {
    const before = this.#urls.length;
    for (const file of files) {
      if (this.#urls.length >= MOST_PICTURES) {
        toast(`A message takes at most ${MOST_PICTURES} pictures.`);
        break;
      }
      try {
        this.#urls.push(await shrunk(file));
      } catch {
        toast(`${file.name || 'This'} is not a picture that the browser can read.`);
      }
    }
    this.#show();
    const added = this.#urls.length - before;
    if (added > 0) announce(added === 1 ? 'A picture is attached.' : `${added} pictures are attached.`);
  }

  #show() {
    byId('pictures').hidden = this.#urls.length === 0;
    byId('pictures').replaceChildren(...this.#urls.map((src, at) => el('button', {
      type: 'button',
      class: 'picture',
      'aria-label': `Remove picture ${at + 1} of ${this.#urls.length}`,
      title: 'Remove this picture',
      onclick: () => {
        this.#urls = this.#urls.toSpliced(at, 1);
        this.#show();
        announce('The picture is removed.');
        byId('message').focus();
      },
    }, el('img', { src, alt: '' }), icon('close'))));
    this.#onChange();
  }
}

async function shrunk(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = el('canvas', { width, height });
  const paper = canvas.getContext('2d');
  // What is transparent is white: a JPEG would make it black.
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, width, height);
  paper.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return file.type === 'image/png' && scale === 1 ? canvas.toDataURL('image/png') : canvas.toDataURL('image/jpeg', 0.9);
}
