/** Returns a clause that matches users with an address at example.com, with properties overridden. */
export const clause = (overrides: object = {}) => ({
  contextKind: 'user',
  attribute: 'email',
  op: 'endsWith',
  values: ['@example.com'],
  negate: false,
  ...overrides,
})
