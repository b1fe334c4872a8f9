import { bodyChunks } from '@halyard/conformance'

const pieces = bodyChunks({ method: 'POST', path: '/api/v2/projects', body: '{"key":"web"}', chunked: true })
console.log(pieces.length > 1) // true
