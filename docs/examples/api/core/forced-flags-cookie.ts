import { forcedFlagsCookie, forceFlags, readForcedFlags } from '@halyard/core/flags'

const secret = 'a secret of 32 characters or more'
const setCookie = await forcedFlagsCookie({ checkout: true }, { secret })
const [cookie = ''] = setCookie.split(';')
const values = await readForcedFlags(cookie, { secret })
console.log(forceFlags(values).evaluate('checkout', { kind: 'user', key: 'ann' }, false).value) // true
