import { Component, type ReactNode } from 'react';
import { Failure } from '../components/states.tsx';
import { text } from '../texts/texts.ts';

/** Shows what broke a page instead of nothing; the frame around it stays usable. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Failure title={text('shell.broken')} error={error} /> : this.props.children;
  }
}
