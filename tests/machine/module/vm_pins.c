// SPDX-License-Identifier: GPL-2.0
/*
 * The 54 pins of a Raspberry Pi 4 in a virtual machine, under the name that its own gpiochip has there.
 *
 * A program sees them through the gpiochip, as those of the real one: inputs with a pull-up, both edges as
 * interrupts, outputs. A test works them in /sys/devices/platform/vm_pins:
 *
 *   drive    write "17 0"        pin 17 is pulled low, as by a button to ground; 1 lets it go
 *            write "17 0 2000"   the same, after a contact has bounced for 2000 microseconds
 *   levels   read                54 characters, pin 0 first: 0 or 1
 *   outputs  read                54 characters: 1 where a program drives the pin, 0 where it reads it
 */
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/gpio/driver.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/random.h>

#define PINS 54
#define LONGEST_BOUNCE_US 50000

struct pins {
	struct gpio_chip chip;
	struct mutex driving; /* one hand at a time */
	DECLARE_BITMAP(level, PINS);
	DECLARE_BITMAP(output, PINS);
	DECLARE_BITMAP(unmasked, PINS);
	unsigned int edges[PINS]; /* IRQ_TYPE_EDGE_ ... */
};

static int pin_get(struct gpio_chip *chip, unsigned int pin)
{
	struct pins *pins = gpiochip_get_data(chip);

	return test_bit(pin, pins->level);
}

static void pin_set(struct gpio_chip *chip, unsigned int pin, int value)
{
	struct pins *pins = gpiochip_get_data(chip);

	assign_bit(pin, pins->level, value);
}

static int pin_direction(struct gpio_chip *chip, unsigned int pin)
{
	struct pins *pins = gpiochip_get_data(chip);

	return test_bit(pin, pins->output) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int pin_input(struct gpio_chip *chip, unsigned int pin)
{
	struct pins *pins = gpiochip_get_data(chip);

	if (test_and_clear_bit(pin, pins->output))
		set_bit(pin, pins->level); /* the pull-up takes it */
	return 0;
}

static int pin_output(struct gpio_chip *chip, unsigned int pin, int value)
{
	struct pins *pins = gpiochip_get_data(chip);

	set_bit(pin, pins->output);
	pin_set(chip, pin, value);
	return 0;
}

static int pin_config(struct gpio_chip *chip, unsigned int pin, unsigned long config)
{
	return 0; /* every input has its pull-up, whatever is asked for */
}

static void pin_mask(struct irq_data *data)
{
	struct gpio_chip *chip = irq_data_get_irq_chip_data(data);
	struct pins *pins = gpiochip_get_data(chip);

	clear_bit(irqd_to_hwirq(data), pins->unmasked);
	gpiochip_disable_irq(chip, irqd_to_hwirq(data));
}

static void pin_unmask(struct irq_data *data)
{
	struct gpio_chip *chip = irq_data_get_irq_chip_data(data);
	struct pins *pins = gpiochip_get_data(chip);

	gpiochip_enable_irq(chip, irqd_to_hwirq(data));
	set_bit(irqd_to_hwirq(data), pins->unmasked);
}

static int pin_edges(struct irq_data *data, unsigned int type)
{
	struct gpio_chip *chip = irq_data_get_irq_chip_data(data);
	struct pins *pins = gpiochip_get_data(chip);

	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	pins->edges[irqd_to_hwirq(data)] = type;
	return 0;
}

static void pin_acknowledge(struct irq_data *data)
{
}

static const struct irq_chip pin_interrupts = {
	.name = "vm_pins",
	.irq_ack = pin_acknowledge,
	.irq_mask = pin_mask,
	.irq_unmask = pin_unmask,
	.irq_set_type = pin_edges,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

/* What a button does: the level changes, and who waits for this edge is told. */
static void drive(struct pins *pins, unsigned int pin, bool level)
{
	unsigned int irq, edge = level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING;

	if (test_bit(pin, pins->level) == level)
		return;
	assign_bit(pin, pins->level, level);
	irq = irq_find_mapping(pins->chip.irq.domain, pin);
	if (irq && test_bit(pin, pins->unmasked) && (pins->edges[pin] & edge))
		generic_handle_irq_safe(irq);
}

static ssize_t drive_store(struct device *device, struct device_attribute *attribute, const char *text, size_t size)
{
	struct pins *pins = dev_get_drvdata(device);
	unsigned int pin, level, bounce = 0;
	ktime_t ends;
	int given = sscanf(text, "%u %u %u", &pin, &level, &bounce);

	if (given < 2 || pin >= PINS || level > 1 || bounce > LONGEST_BOUNCE_US || test_bit(pin, pins->output))
		return -EINVAL;
	guard(mutex)(&pins->driving);
	ends = ktime_add_us(ktime_get(), bounce);
	while (bounce && ktime_before(ktime_get(), ends)) {
		drive(pins, pin, get_random_u32_below(2));
		udelay(get_random_u32_inclusive(20, 200));
	}
	drive(pins, pin, level);
	return size;
}
static DEVICE_ATTR_WO(drive);

static ssize_t show_bits(const unsigned long *bits, char *text)
{
	for (int pin = 0; pin < PINS; pin++)
		text[pin] = '0' + test_bit(pin, bits);
	text[PINS] = '\n';
	return PINS + 1;
}

static ssize_t levels_show(struct device *device, struct device_attribute *attribute, char *text)
{
	struct pins *pins = dev_get_drvdata(device);

	return show_bits(pins->level, text);
}
static DEVICE_ATTR_RO(levels);

static ssize_t outputs_show(struct device *device, struct device_attribute *attribute, char *text)
{
	struct pins *pins = dev_get_drvdata(device);

	return show_bits(pins->output, text);
}
static DEVICE_ATTR_RO(outputs);

static struct attribute *pins_attrs[] = {
	&dev_attr_drive.attr,
	&dev_attr_levels.attr,
	&dev_attr_outputs.attr,
	NULL,
};
ATTRIBUTE_GROUPS(pins);

static int pins_probe(struct platform_device *device)
{
	struct pins *pins = devm_kzalloc(&device->dev, sizeof(*pins), GFP_KERNEL);

	if (!pins)
		return -ENOMEM;
	mutex_init(&pins->driving);
	bitmap_fill(pins->level, PINS);
	platform_set_drvdata(device, pins);
	pins->chip = (struct gpio_chip) {
		.label = "pinctrl-bcm2711",
		.parent = &device->dev,
		.owner = THIS_MODULE,
		.base = -1,
		.ngpio = PINS,
		.get = pin_get,
		.set = pin_set,
		.get_direction = pin_direction,
		.direction_input = pin_input,
		.direction_output = pin_output,
		.set_config = pin_config,
	};
	gpio_irq_chip_set_chip(&pins->chip.irq, &pin_interrupts);
	pins->chip.irq.handler = handle_edge_irq;
	pins->chip.irq.default_type = IRQ_TYPE_NONE;
	return devm_gpiochip_add_data(&device->dev, &pins->chip, pins);
}

static struct platform_driver pins_driver = {
	.driver = { .name = "vm_pins", .dev_groups = pins_groups },
	.probe = pins_probe,
};
static struct platform_device *pins_device;

static int __init pins_begin(void)
{
	int error = platform_driver_register(&pins_driver);

	if (error)
		return error;
	pins_device = platform_device_register_simple("vm_pins", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pins_device)) {
		platform_driver_unregister(&pins_driver);
		return PTR_ERR(pins_device);
	}
	return 0;
}

static void __exit pins_end(void)
{
	platform_device_unregister(pins_device);
	platform_driver_unregister(&pins_driver);
}

module_init(pins_begin);
module_exit(pins_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Pins that a test drives and reads");
