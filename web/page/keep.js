// What one takes along: files for the downloads, texts for the clipboard.
import {element} from './panel.js';

export const say = (text) => { element('saved').textContent = text; };

export function download(name, content, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(`${name} is in your downloads.`);
}

export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    say('The browser does not let this page copy: mark the text instead.');
  }
}
