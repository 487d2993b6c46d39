"""What people see and touch: lights, buzzer, buttons. It knows rulings and the view, nothing below."""
