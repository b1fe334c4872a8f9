export { type ConsoleAnswer, type ConsoleOptions, type ConsolePages, consolePages } from './console-pages.ts'
export { createExpressConsole, type ExpressConsole } from './express-console.ts'
export { withConsole } from './fetch-console.ts'
