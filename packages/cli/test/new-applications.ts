import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type NewApplication = 'express' | 'express-modules' | 'hono' | 'nest' | 'next'

/**
 * Applications of one page each, as the generators of the frameworks write them. Each is a list of files by their
 * paths.
 */
export const newApplications: Readonly<Record<NewApplication, Readonly<Record<string, string>>>> = {
  express: {
    'package.json': manifest({ start: 'node app.js' }, { express: '^5.3.0' }),
    'app.js': `const express = require('express');
const path = require('path');

const app = express();

app.use(express.json());
app.use(express.static(path.join(__dirname, 'public')));

app.get('/', (req, res) => res.send('the shop'));

app.listen(process.env.PORT || 3000, '127.0.0.1');
`,
  },
  'express-modules': {
    'package.json': manifest({ start: 'node app.js' }, { express: '^5.3.0' }, { type: 'module' }),
    'app.js': `import express from "express"

export const app = express()
app.use(express.json())
app.get("/", (req, res) => res.send("the shop"))
app.listen(process.env.PORT ?? 3000, "127.0.0.1")
`,
  },
  hono: {
    'package.json': manifest(
      { dev: 'tsx src/index.ts' },
      { '@hono/node-server': '^2.1.8', hono: '^4.13.19', tsx: '^4.23.15' },
      { type: 'module' },
    ),
    'tsconfig.json': '{ "compilerOptions": { "target": "ESNext", "module": "NodeNext", "strict": true } }',
    'src/index.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('the shop')
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' })
`,
  },
  nest: {
    'package.json': manifest(
      { start: 'tsx src/main.ts' },
      {
        '@nestjs/common': '^12.0.1',
        '@nestjs/core': '^12.0.1',
        '@nestjs/platform-express': '^12.0.1',
        'reflect-metadata': '^0.2.2',
        rxjs: '^7.8.1',
        tsx: '^4.23.15',
      },
      { type: 'module' },
    ),
    'tsconfig.json': `{
  "compilerOptions": { "module": "nodenext", "target": "ES2023", "experimentalDecorators": true, "strict": true }
}`,
    'src/app.module.ts': `import { Controller, Get, Module } from '@nestjs/common';

@Controller()
class AppController {
  @Get()
  home() {
    return 'the shop';
  }
}

@Module({ controllers: [AppController] })
export class AppModule {}
`,
    'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
}
await bootstrap();
`,
  },
  next: {
    'package.json': manifest(
      { dev: 'next dev' },
      { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
      {
        devDependencies: { '@types/node': '^20', '@types/react': '^19', typescript: '^5' },
      },
    ),
    'tsconfig.json': `{
  "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "jsx": "react-jsx", "strict": true }
}`,
    'app/layout.tsx': `export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
    'app/page.tsx': `export default function Home() {
  return <h1>the shop</h1>;
}
`,
  },
}

function manifest(scripts: object, dependencies: object, properties: object = {}): string {
  return `${JSON.stringify({ name: 'shop', private: true, ...properties, scripts, dependencies }, null, 2)}\n`
}

/** Writes a new application to a folder, which it creates. */
export function writeNewApplication(name: NewApplication, folder: string): void {
  for (const [file, text] of Object.entries(newApplications[name])) {
    const target = path.join(folder, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
