import { apiDocsPages } from '@halyard/openapi'

const pages = apiDocsPages()
const answer = await pages('GET', '/api/v2/projects')
console.log(answer) // undefined
