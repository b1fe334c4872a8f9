export { createExpressMcp, type ExpressMcp, type ExpressMcpOptions, type McpRequest } from './express-mcp.ts'
export { createMcpHandler, type McpHandler, type McpOptions, withMcp } from './fetch-mcp.ts'
export { createMcpServer, type McpServerOptions } from './mcp-server.ts'
