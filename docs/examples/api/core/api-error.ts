import { ApiError } from '@halyard/core'
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
try {
  await engine.api.getProject({ projectKey: 'unknown' }, { as: engine.admin })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.status, error.code) // 404 not_found
}
