import { openApiDocument } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const document = openApiDocument(operations, { version: '1.0.0', server: 'https://flags.example.com' })
console.log(document.openapi, Object.keys(document.paths).includes('/api/v2/projects')) // 3.1.1 true
