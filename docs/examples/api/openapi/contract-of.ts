import { contractOf, openApiDocument } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const contract = contractOf(openApiDocument(operations, { version: '1.0.0' }))
console.log(contract.get('getTeam')?.path) // /api/v2/teams/{teamKey}
