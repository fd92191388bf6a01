// A small menu below the button that opened it, worked by arrows, Escape and a click elsewhere.

import { el, icon } from './dom.js';

/** Opens a menu of items {icon, label, run} at a button. */
export function openMenu(button, items) {
  const close = (focusBack) => {
    menu.remove();
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
    if (focusBack) button.focus();
  };
  const outside = (event) => menu.contains(event.target) || close(false);
  const menu = el('div', { class: 'menu', role: 'menu' }, items.map((item) => el('button', {
    type: 'button',
    role: 'menuitem',
    class: item.danger ? 'danger' : '',
    'data-do': item.icon,
    onclick: () => {
      close(true);
      item.run();
    },
  }, icon(item.icon), item.label)));
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.children];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      buttons.at(to % buttons.length).focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    }
  });
  document.body.append(menu);
  place(menu, button.getBoundingClientRect());
  button.setAttribute('aria-expanded', 'true');
  document.addEventListener('pointerdown', outside, true);
  menu.firstChild.focus();
}

/** Below the button where there is room, above it where there is not. */
function place(menu, at) {
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + height + 8 < innerHeight;
  menu.style.top = `${below ? at.bottom + 4 : at.top - height - 4}px`;
  menu.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`;
}
