import type { WhatIf, WhatIfRequest } from '#libs/client';
import { text } from '../../texts/texts.ts';

/** The verdict as one sentence, such as `Does not fit: 2 of 12 instances find no host.` */
export function verdictText(result: WhatIf, request: WhatIfRequest): string {
  return `${text(`whatIf.verdict.${result.verdict}`)}: ${sentenceOf(result, request)}`;
}

function sentenceOf(result: WhatIf, request: WhatIfRequest): string {
  switch (result.question) {
    case 'lose':
    case 'remove':
      return leavingText(result);
    case 'add':
      return text('whatIf.hostsAdded', { count: request.count ?? 0, like: request.like ?? '' });
    case 'place':
      return placesText(result, request);
    case 'move':
      return text('whatIf.possibleMoves', { count: result.moves_needed, total: result.moves_needed + result.left });
    case 'ratio': {
      const hosts = new Set(result.obstacles.map(({ hostname }) => hostname)).size;
      return hosts === 0 ? text('whatIf.noOverfull') : text('whatIf.overfull', { count: hosts });
    }
  }
}

function leavingText({ verdict, moves_needed: moves, left }: WhatIf): string {
  const total = moves + left;
  if (total === 0) return text('whatIf.nothingMoves');
  if (verdict === 'fits') return text('whatIf.allFit', { count: total });
  return verdict === 'unknown'
    ? text('whatIf.unknownLeft', { count: moves, total })
    : text('whatIf.someLeft', { count: left, total });
}

function placesText({ number, is_exact: isExact }: WhatIf, { flavor = '', count = null, zone }: WhatIfRequest): string {
  const places = { count: number ?? 0, flavor };
  const fit = isExact ? text('whatIf.placesFit', places) : text('whatIf.placesAtMost', places);
  const where = zone ? ` ${text('whatIf.inZone', { zone })}` : '';
  return `${fit}${where}${count === null ? '.' : text('whatIf.requested', { count })}`;
}
