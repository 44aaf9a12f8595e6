/** What a field takes whose words, or whose choice, the page keeps itself. */
export const inputOf = <Value extends string>(value: Value, onChange: (value: Value) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value as Value),
});
