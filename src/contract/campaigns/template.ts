/**
 * Texts with variables: `{{name}}`, `{{phone}}`, `{{attributes.city}}`, each with what stands there where it is missing:
 * `{{name|there}}`.
 */
import { ownValue } from '../given.ts';

export interface TemplateVariable {
  /** `name`, `phone`, or `attributes.<name>`. */
  name: string;
  /** What stands there where there is no value; null: then the text cannot be made. */
  fallback: string | null;
}

const placeholder = /\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;
const known = /^(name|phone|attributes\.[A-Za-z][A-Za-z0-9_]{0,49})$/;

/** The variables of a text, in order. */
export function variablesOf(template: string): TemplateVariable[] {
  return [...template.matchAll(placeholder)].map(([, name = '', fallback]) => ({
    name,
    fallback: fallback?.trim() ?? null,
  }));
}

/** Names of variables that there are none of. */
export function unknownVariables(template: string): string[] {
  return variablesOf(template)
    .map(({ name }) => name)
    .filter((name) => !known.test(name));
}

/** What is said of the first variable in a text that there is none of; null where there is no such one. */
export function variableProblem(template: string): string | null {
  const [unknown] = unknownVariables(template);
  return unknown === undefined
    ? null
    : `There is no variable {{${unknown.slice(0, 60)}}}: there are {{name}}, {{phone}} and {{attributes.…}}.`;
}

export type TemplateValues = Readonly<Record<string, string>>;

/** The text for one person, or the names of what is missing. */
export function renderTemplate(
  template: string,
  values: TemplateValues,
): { ok: true; text: string } | { ok: false; missing: string[] } {
  const missing = new Set<string>();
  const text = template.replaceAll(placeholder, (_, name: string, fallback: string | undefined) => {
    const value = ownValue(values, name);
    if (value !== undefined && value !== '') return value;
    if (fallback === undefined) missing.add(name);
    return fallback?.trim() ?? '';
  });
  return missing.size === 0 ? { ok: true, text } : { ok: false, missing: [...missing] };
}
