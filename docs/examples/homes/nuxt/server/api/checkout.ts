import { flags } from '../halyard'

export default defineEventHandler(() => {
  const { value } = flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false)
  return { isNew: value }
})
