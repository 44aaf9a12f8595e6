/** A text with a word where the cursor of its field is; the cursor stands behind it then. */
export function withWord(field: HTMLTextAreaElement | null, text: string, word: string): string {
  const from = field?.selectionStart ?? text.length;
  const to = field?.selectionEnd ?? from;
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(from + word.length, from + word.length);
  });
  return `${text.slice(0, from)}${word}${text.slice(to)}`;
}
