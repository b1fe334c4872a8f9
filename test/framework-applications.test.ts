import path from 'node:path'
import { describe, it } from 'vitest'
import { driveApplication } from './frameworks/drive-application.ts'
import { inProcess } from './frameworks/run-commands.ts'
import { root } from './root.ts'

/** Applications that need nothing beyond the packages of this repository. */
const applications = ['fastify', 'hono', 'nest'] as const

describe.each(applications)('the application of %s', (name) => {
  it('shows what its README says, after the commands of its README', async () => {
    const tsx = path.join(root, 'node_modules/tsx/dist/loader.mjs')
    await driveApplication(path.join(root, 'docs/examples/homes', name), {
      env: { NODE_OPTIONS: `--conditions=@halyard/source --import ${tsx}` },
      run: inProcess,
    })
  })
})
