import { flags } from '$lib/server/halyard'

export const load = () => ({ isNew: flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value })
