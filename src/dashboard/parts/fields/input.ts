/** What a field takes whose words, or whose choice, the page keeps itself. */
export const inputOf = <Value extends string>(value: Value, onChange: (value: Value) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value as Value),
});

/** The same of a switch or a checkbox. */
export const checkOf = (checked: boolean, onChange: (checked: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }) => onChange(event.currentTarget.checked),
});
