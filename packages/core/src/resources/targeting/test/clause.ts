/** A clause that those match who have an address of example.com; or another. */
export const clause = (more: object = {}) => ({
  contextKind: 'user',
  attribute: 'email',
  op: 'endsWith',
  values: ['@example.com'],
  negate: false,
  ...more,
})
