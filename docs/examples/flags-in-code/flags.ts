import { defineFlags } from '@halyard/core/flags'

export const flags = defineFlags({
  checkout: { type: 'boolean', fallback: false, description: 'The new checkout' },
  theme: { type: 'string', fallback: 'light', values: ['light', 'dark'] },
  'max-items': { type: 'number', fallback: 20, values: [20, 50] },
  retry: { type: 'json', fallback: { times: 3 }, values: [{ times: 3 }, { times: 5 }] },
})
