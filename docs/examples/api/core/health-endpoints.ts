import { healthEndpoints } from '@halyard/core'
import { createTestEngine } from '@halyard/testing'

const health = healthEndpoints(await createTestEngine())
console.log((await health('GET', '/readyz'))?.status) // 200
console.log(await health('GET', '/api/v2/projects')) // undefined
