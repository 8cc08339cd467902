#!/usr/bin/env node
import { runVigil } from './run-vigil.ts';

process.exitCode = await runVigil(process.argv.slice(2));
