import { expect, it } from 'vitest'
import { withoutPassword } from './without-password.ts'

it.each([
  ['postgres://ann:secret@host/db', 'postgres://ann:***@host/db'],
  ['postgres://ann:se@cret@host/db', 'postgres://ann:***@host/db'],
  ['postgres://host/db?user=ann&password=secret&ssl=1', 'postgres://host/db?user=ann&password=***&ssl=1'],
  ['postgres://ann@host/db', 'postgres://ann@host/db'],
  ['sqlite:./flags.db', 'sqlite:./flags.db'],
])('the storage %s is printed as %s', (address, printed) => {
  expect(withoutPassword(address)).toBe(printed)
})
