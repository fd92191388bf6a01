// Copies text, also where the page came over plain HTTP and the modern clipboard is closed to it.

/** Copies a text; the button that asked for it says so for a moment. */
export async function copyText(text, button) {
  const copied = await write(text);
  const before = [...button.childNodes];
  if (button.dataset.copied) return;
  button.dataset.copied = 'yes';
  button.replaceChildren(copied ? 'Copied' : 'Not copied');
  setTimeout(() => {
    button.replaceChildren(...before);
    delete button.dataset.copied;
  }, 1500);
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByCommand(text);
  }
}

function writeByCommand(text) {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return copied;
}
