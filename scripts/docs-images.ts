import { withTestServers } from '../bench/test-servers.ts';
import { takePictures } from '../tests/browser/take-pictures.ts';

// `npm run docs:images`: takes the pictures of the documentation anew.
await withTestServers(['postgres', 'chromium'], () => takePictures('docs/images'));
