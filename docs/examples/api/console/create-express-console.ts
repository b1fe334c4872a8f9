import { createServer } from 'node:http'
import { createExpressConsole } from '@halyard/console'

// Under Express: app.use(createExpressConsole())
const server = createServer(createExpressConsole())
console.log(server.listening) // false
