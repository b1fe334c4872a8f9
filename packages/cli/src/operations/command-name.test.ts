import { expect, it } from 'vitest'
import { commandGroups } from './command-name.ts'

it('no two operations of a resource have the same command', () => {
  const lines = [...commandGroups().values()].flatMap(({ commands }) =>
    commands.map(({ group, name }) => `${group} ${name}`),
  )
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
})
