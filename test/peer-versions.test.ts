import express5 from 'express/package.json'
import express4 from 'express4/package.json'
import { expect, inject, it } from 'vitest'
import { oldestProject } from './setup/oldest-versions.ts'

it('peer dependencies resolve to their oldest versions in the Vitest project for old versions, and to newer versions elsewhere', () => {
  const isOldest = [express4.version === '4.17.0', express5.version === '5.0.0']
  expect(isOldest).toEqual(inject('projectName') === oldestProject ? [true, true] : [false, false])
})
