/** How an attribute may be compared. */
export const attributeOperators = [
  'equals',
  'not_equals',
  'contains',
  'less',
  'greater',
  'exists',
  'missing',
] as const;
export type AttributeOperator = (typeof attributeOperators)[number];

/** Whether it compares with a value. */
export const takesValue = (operator: AttributeOperator): boolean =>
  operator !== 'exists' && operator !== 'missing';
