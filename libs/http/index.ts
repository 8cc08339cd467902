export { createSender, type HttpReply, type HttpSender } from './create-sender.ts';
