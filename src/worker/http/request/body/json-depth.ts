/** How deep a request may nest objects and lists: nothing of ours needs more, and what walks a value may recurse. */
export const jsonDepthMax = 32;

/** Whether JSON text opens more than {@link jsonDepthMax} objects and lists inside each other; one pass, nothing built. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > jsonDepthMax) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
